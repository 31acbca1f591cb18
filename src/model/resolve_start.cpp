// SPDX-License-Identifier: Apache-2.0
// Where a fit begins.
#include <algorithm>

#include "core/text.hpp"
#include "model/resolver.hpp"

namespace medley::model {

void Resolver::choose_start() {
  FitOptions& o = out_.options;
  if (o.init.empty() && preset_ == nullptr) return;
  if (o.init.empty()) o.init = default_start();
  // The single-membership fit itself begins like k-means.
  const bool single =
      out_.membership != nullptr && out_.membership->sole && !out_.membership->infers_k;
  if (o.init == "single" && single) o.init = "kmeans";
  if (o.init == "noise" && (o.batch == 0 || !all_blocks(data_, Encoding::tokens)))
    object("`init=\"noise\"`", "is for words that are learnt in minibatches",
           "use `batch=N`, or `init=\"random\"`");
  if (o.init == "collapsed" && !starts_collapsed())
    object("`init=\"collapsed\"`",
           "is for words in mixed membership, all rows at once, with smoothing",
           "use `init=\"random\"`");
  const std::vector<std::string> starts = named_starts();
  if (std::ranges::find(starts, o.init) == starts.end())
    object(core::setting("init", o.init), "is no start",
           "random, sample, noise, kmeans, single, labels, collapsed; to start from a saved model "
           "give it to `fit()`");
}

// Whether a few sweeps of collapsed inference can find the first topics.
bool Resolver::starts_collapsed() const {
  const FitOptions& o = out_.options;
  return out_.membership != nullptr && collapsed_inference.offered_for(*out_.membership) &&
         out_.inference != nullptr &&
         out_.inference->words_start == std::string_view("collapsed") && out_.classes == 0 &&
         o.batch == 0 && o.smoothing.value_or(0) > 0 && o.shrink.value_or(0) == 0 &&
         all_blocks(data_, Encoding::tokens) && suits(collapsed_inference, situation());
}

std::string Resolver::default_start() const {
  const FitOptions& o = out_.options;
  if (out_.classes == 0 && !all_blocks(data_, Encoding::tokens)) return "single";
  // In minibatches a topic that begins as a few documents keeps what is particular to them. 8,000
  // words, 100 topics, 20,000 documents, nats per held-out word above the unigrams: random
  // -0.264, sample 0.147 (the truth 0.410); where there is next to nothing to learn -0.391 and
  // -0.000 (the truth 0.019). KOS, 50 topics, two seeds: random -7.452 and -7.454, sample -7.419
  // and -7.431.
  // Collapsed inference, 50 topics: 20 Newsgroups -7.840 from random documents and -7.806 from
  // sampled memberships after 60 sweeps; AP -7.801 and -7.776 after 30, and both -7.75 at the
  // end.
  if (out_.classes == 0 && o.batch > 0) return "sample";
  if (out_.classes == 0 && out_.inference != nullptr) {
    const std::string start = out_.inference->words_start;
    return start != "collapsed" || starts_collapsed() ? start : "random";
  }
  if (out_.classes == 0) return "random";
  const bool as_paper = asked_for_model_ && preset_->label;
  return as_paper && out_.options.components >= out_.classes ? "labels" : "single";
}

std::vector<std::string> named_starts() {
  return {"random", "kmeans", "single", "labels", "sample", "noise", "collapsed"};
}

}  // namespace medley::model
