# Writes a C++ file that holds the HTML file PAGE as a string: cmake -DPAGE=... -DOUT=... -P EmbedPage.cmake
# In bytes, because a compiler need not take a string literal of 100 kB.
file(READ ${PAGE} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")  # 16 bytes a line
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "// Made from ${PAGE} by cmake/EmbedPage.cmake.
#include \"report/page_template.hpp\"

namespace medley::report {
namespace {

constexpr unsigned char kPage[] = {
${bytes}
};

}  // namespace

std::string_view page_template() {
  return {reinterpret_cast<const char*>(kPage), sizeof kPage};
}

}  // namespace medley::report
")
