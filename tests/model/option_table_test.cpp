// SPDX-License-Identifier: Apache-2.0
// One table of options: what is set by name is what was meant, reads back, and is refused in words.
#include "medley/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "medley/error.hpp"
#include "model/option_table.hpp"

namespace medley::model {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

template <class Options>
Problem refused(std::string_view name, std::string_view value) {
  Options options;
  try {
    set_option(options, name, value);
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 1U);
    return error.problems().front();
  }
  ADD_FAILURE() << name << '=' << value << " was taken";
  return {};
}

FitOptions fit_with(std::string_view name, std::string_view value) {
  FitOptions options;
  set_option(options, name, value);
  return options;
}

ReadOptions read_with(std::initializer_list<std::pair<const char*, const char*>> given) {
  ReadOptions options;
  for (const auto& [name, value] : given) set_option(options, name, value);
  return options;
}

TEST(OptionTable, SetsTheFieldOfItsName) {
  EXPECT_EQ(fit_with("k", "7").components, 7U);
  EXPECT_EQ(fit_with("max_iterations", "10").max_iterations, 10U);
  EXPECT_EQ(fit_with("inference", "monte-carlo").inference, "monte-carlo");
  EXPECT_EQ(fit_with("estimate", "vb").estimate, Estimate::vb);
  EXPECT_EQ(fit_with("head", "none").label.head, LabelHead::none);
  EXPECT_EQ(fit_with("label_bound", "paper").label.bound, LabelBound::paper);
  EXPECT_EQ(fit_with("objective", "conditional").label.objective, LabelObjective::conditional);
  EXPECT_EQ(fit_with("a0", "0.25").rates.a0, 0.25);
  EXPECT_EQ(fit_with("dimension", "3").rates.dimension, 3U);
  EXPECT_EQ(fit_with("seed", "18446744073709551615").seed, 18446744073709551615U);
  EXPECT_EQ(fit_with("resume", "true").resume, true);
  EXPECT_EQ(fit_with("checkpoint_every", "0").checkpoint_seconds, 0);
  EXPECT_THAT(fit_with("starts", "1,10,40").chains.starts, ElementsAre(1, 10, 40));
  EXPECT_EQ(fit_with("alpha_prior", "3,4.5").chains.alpha_rate, 4.5);
  EXPECT_EQ(fit_with("alpha", "fixed:50/K").alpha, "fixed:50/K");
}

TEST(OptionTable, SmoothingIsANumberOrFitted) {
  FitOptions options = fit_with("smoothing", "fitted");
  EXPECT_TRUE(options.fit_smoothing);
  EXPECT_EQ(get_option(options, "smoothing"), "fitted");
  set_option(options, "smoothing", "0.5");
  EXPECT_FALSE(options.fit_smoothing);
  EXPECT_EQ(options.smoothing, 0.5);
}

TEST(OptionTable, AConcentrationIsFixedOrHasAPrior) {
  FitOptions options = fit_with("concentration", "gamma:2,3");
  EXPECT_EQ(options.chains.concentration_shape, 2);
  EXPECT_EQ(options.chains.concentration_rate, 3);
  EXPECT_EQ(get_option(options, "concentration"), "gamma:2,3");
  set_option(options, "concentration", "5");
  EXPECT_EQ(options.chains.concentration_shape, 0);
  EXPECT_EQ(get_option(options, "concentration"), "5");
}

TEST(OptionTable, AnUnknownNameGetsTheNearestOne) {
  const Problem problem = refused<FitOptions>("max_iteration", "10");
  EXPECT_EQ(problem.where, "`max_iteration`");
  EXPECT_THAT(problem.remedy, HasSubstr("`max_iterations`"));
  EXPECT_THAT(refused<ReadOptions>("wieght", "w").remedy, HasSubstr("`weight`"));
  EXPECT_THAT(refused<FitOptions>("entirely_unlike", "1").remedy, IsEmpty());
}

TEST(OptionTable, AWrongValueGetsTheRange) {
  EXPECT_EQ(refused<FitOptions>("k", "0").what, "\"0\" is not a whole number of at least 1");
  EXPECT_EQ(refused<FitOptions>("k", "3.5").what, "\"3.5\" is not a whole number of at least 1");
  EXPECT_EQ(refused<FitOptions>("k", "").what, "\"\" is not a whole number of at least 1");
  EXPECT_EQ(refused<FitOptions>("tolerance", "0").what, "\"0\" is not a number above 0");
  EXPECT_EQ(refused<FitOptions>("tolerance", "nan").what, "\"nan\" is not a number above 0");
  EXPECT_EQ(refused<FitOptions>("kappa", "0.5").what,
            "\"0.5\" is not a number above 0.5 and at most 1");
  EXPECT_THAT(refused<FitOptions>("estimate", "bayes").what,
              HasSubstr("\"bayes\" is none of map, vb"));
  EXPECT_THAT(refused<FitOptions>("inference", "standart").what,
              AllOf(HasSubstr("none of auto, standard"), HasSubstr("did you mean \"standard\"?")));
  EXPECT_THAT(refused<FitOptions>("starts", "1,,3").what, HasSubstr("whole numbers"));
  EXPECT_THAT(refused<FitOptions>("alpha_prior", "1").what, HasSubstr("two numbers"));
  EXPECT_THAT(refused<FitOptions>("resume", "perhaps").what, HasSubstr("true or false"));
}

// A value that each range takes and that is no default.
std::string some_value(const OptionField& field) {
  if (field.name == "alpha") return "symmetric";
  if (field.name == "alpha_prior") return "3,4";
  if (field.name == "kappa" || field.name == "variance_floor" || field.name == "max_share")
    return "0.75";
  if (field.name == "format") return "words=ldac";
  if (field.name == "column") return "age=poisson";
  if (field.name == "tie") return "x=x_1,x_2";
  if (field.name == "block_weight") return "words=0.5";
  if (field.type == "yes/no") return "true";
  if (field.type == "whole numbers") return "2,3";
  if (field.type == "whole number" || field.type == "number" || field.name == "concentration")
    return "17";
  if (field.name == "memory") return "2097152";
  if (!field.range.starts_with("one of ")) return "something";
  return field.range.substr(field.range.find_last_of(' ') + 1);
}

TEST(OptionTable, WhatWasSetReadsBackAndIsInOneFieldAlone) {
  const FitOptions usual;
  for (const OptionField& field : fit_option_fields()) {
    const std::string value = some_value(field);
    const FitOptions options = fit_with(field.name, value);
    EXPECT_EQ(get_option(options, field.name), value) << field.name;
    for (const OptionField& other : fit_option_fields()) {
      if (other.name != field.name) {
        EXPECT_EQ(get_option(options, other.name), get_option(usual, other.name))
            << field.name << " changed " << other.name;
      }
    }
  }
  for (const OptionField& field : read_option_fields()) {
    ReadOptions options;
    set_option(options, field.name, some_value(field));
    EXPECT_EQ(get_option(options, field.name), some_value(field)) << field.name;
  }
}

TEST(OptionTable, MemoryHasUnitsOf1024) {
  for (const auto& [text, bytes] :
       {std::pair("2M", "2097152"), std::pair("1.5g", "1610612736"),
        std::pair("1GiB", "1073741824"), std::pair("1048576", "1048576")}) {
    ReadOptions options;
    set_option(options, "memory", text);
    EXPECT_EQ(get_option(options, "memory"), bytes) << text;
  }
  for (const char* text : {"", "4X", "1K", "-2G", "nan", "1e30T", "2 G"}) {
    ReadOptions options;
    EXPECT_THROW(set_option(options, "memory", text), InputError) << text;
  }
}

TEST(OptionTable, DefaultsThatAreNumbersAreThoseOfTheFields) {
  const FitOptions usual;
  for (const OptionField& field : fit_option_fields()) {
    const std::string now = get_option(usual, field.name);
    const bool plain = field.type == "number" || field.type == "whole number";
    // Those that are worked out have a default in words and no value, or zero.
    if (!plain || now.empty() || now == "0") continue;
    EXPECT_EQ(std::stod(field.default_text), std::stod(now)) << field.name;
  }
}

TEST(OptionTable, NamesAndPlacesInFilesAreUnique) {
  std::set<std::string> names, keys;
  for (const FitOption& option : fit_option_table()) {
    EXPECT_TRUE(names.insert(option.field.name).second) << option.field.name;
    EXPECT_FALSE(option.field.group.empty()) << option.field.name;
    for (const Place& place : option.places)
      EXPECT_TRUE(keys.insert(place.key).second) << place.key;
  }
}

// Two options with one place would mask one another, and an empty place would be lost in a file.
TEST(OptionTable, EveryStoredPlaceWithoutAValueHasOneForFiles) {
  const FitOptions usual;
  for (const FitOption& option : fit_option_table()) {
    for (const Place& place : option.places) {
      const bool none = std::holds_alternative<std::monostate>(place.get(usual));
      if (place.written == Written::never || !none) continue;
      EXPECT_FALSE(std::holds_alternative<std::monostate>(place.unset)) << place.key;
    }
  }
}

TEST(OptionTable, ListsGrowAndNamesMayHoldCommas) {
  const ReadOptions options = read_with({{"ignore", "a,\"b, c\""},
                                         {"ignore", "d"},
                                         {"na", "-"},
                                         {"na", "?,?"},
                                         {"column", "\"a=b\"=gaussian"},
                                         {"column", "age=poisson:shift=1"},
                                         {"tie", "*_1,*_2"},
                                         {"vocab", "words=list.txt"},
                                         {"keep", "party"}});
  EXPECT_THAT(options.ignore, ElementsAre("a", "b, c", "d"));
  EXPECT_THAT(options.na, ElementsAre("-", "?,?"));
  EXPECT_THAT(options.family, Contains(Pair("a=b", "gaussian")));
  EXPECT_THAT(options.family, Contains(Pair("age", "poisson:shift=1")));
  EXPECT_EQ(options.ties.front().name, "*");
  EXPECT_THAT(options.vocabulary, Contains(Pair("words", "list.txt")));
  EXPECT_THAT(options.keep, ElementsAre("party"));
}

TEST(OptionTable, ReadingTakesWordsForWhatItOffers) {
  const ReadOptions options = read_with({{"format", "triplets"},
                                         {"weights", "frequency"},
                                         {"duplicates", "replicate"},
                                         {"decimal", "comma"},
                                         {"missing", "category"},
                                         {"keep_case", "true"},
                                         {"stop_words", "english"},
                                         {"min_count", "5"},
                                         {"max_share", "0.25"},
                                         {"vocabulary", "1000"}});
  EXPECT_EQ(options.format, Format::triplets);
  EXPECT_TRUE(options.frequency_weights);
  EXPECT_EQ(options.duplicates, Duplicates::replicate);
  EXPECT_EQ(options.decimal, Decimal::comma);
  EXPECT_TRUE(options.missing_as_category);
  EXPECT_FALSE(options.words.rules.fold_case);
  EXPECT_FALSE(options.words.recognise_language);
  EXPECT_THAT(options.words.stop_words, ElementsAre("english"));
  EXPECT_EQ(options.words.min_count, 5U);
  EXPECT_EQ(options.words.max_share, 0.25);
  EXPECT_EQ(options.words.most_words, 1000U);
  EXPECT_THAT(refused<ReadOptions>("max_share", "1.5").what, HasSubstr("above 0 and at most 1"));
  EXPECT_THAT(refused<ReadOptions>("column", "age").what, HasSubstr("NAME=FAMILY"));
}

TEST(OptionTable, NoTextHoldsACommandLine) {
  const auto clean = [](const OptionField& field) {
    for (const std::string& text : {field.help, field.default_text, field.range, field.group}) {
      EXPECT_THAT(text, testing::Not(HasSubstr("--"))) << field.name;
      EXPECT_THAT(text, testing::Not(HasSubstr("medley "))) << field.name;
    }
  };
  std::ranges::for_each(fit_option_fields(), clean);
  std::ranges::for_each(read_option_fields(), clean);
}

}  // namespace
}  // namespace medley::model
