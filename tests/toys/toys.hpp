// SPDX-License-Identifier: Apache-2.0
// A membership and an inference from outside of the library: one file and one line each. The tests
// of this folder run in a program of their own, because whatever goes through the registries there
// goes through these as well.
#pragma once

#include "engines/registry.hpp"
#include "memberships/registry.hpp"

namespace medley::test {

extern const memberships::MembershipEntry shared_membership;  // shared_membership.cpp
extern const engines::EngineEntry hard_engine;                // hard_engine.cpp

}  // namespace medley::test
