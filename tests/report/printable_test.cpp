// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "medley/report.hpp"

namespace medley {
namespace {

TEST(Printable, OrdinaryTextIsUntouched) {
  EXPECT_EQ(printable("naïve ☃ 漢字 𝄞"), "naïve ☃ 漢字 𝄞");
}

TEST(Printable, EscapeSequencesLoseTheirEscape) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\xEF\xBF\xBD[31mb");
  EXPECT_EQ(printable("a\x9b"
                      "b"),
            "a\xEF\xBF\xBD"
            "b");  // a lone C1 byte
  EXPECT_EQ(printable("a\xC2\x9B"
                      "b"),
            "a\xEF\xBF\xBD"
            "b");                                        // the same in UTF-8
  EXPECT_EQ(printable("\xE2\x80\xAE"), "\xEF\xBF\xBD");  // right-to-left override
}

TEST(Printable, LineEndsStayOnlyWhereWanted) {
  EXPECT_EQ(printable("a\nb", true), "a\nb");
  EXPECT_EQ(printable("a\nb"),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Printable, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(printable("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");       // overlong
  EXPECT_EQ(printable("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");       // cut off
  EXPECT_EQ(printable("\xED\xA0\x80").substr(0, 3), "\xEF\xBF\xBD");  // surrogate
}

RC_GTEST_PROP(Printable, NeverLetsAControlCharacterThrough, (const std::string& bytes)) {
  for (const char c : printable(bytes))
    RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != '\x7f');
}

RC_GTEST_PROP(Printable, DoingItTwiceChangesNothing, (const std::string& bytes)) {
  RC_ASSERT(printable(printable(bytes)) == printable(bytes));
}

}  // namespace
}  // namespace medley
