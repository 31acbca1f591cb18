// SPDX-License-Identifier: Apache-2.0
// InputError and RunError as the exceptions of medley/_errors.py, with every problem.
#include "medley/error.hpp"

#include <new>

#include "bind.hpp"
#include "medley/report.hpp"

namespace medley::python {
namespace {

void raise(const char* type, const nb::object& arguments) {
  const nb::object kind = nb::module_::import_("medley._errors").attr(type);
  const nb::object raised = kind(*arguments);
  PyErr_SetObject(kind.ptr(), raised.ptr());
}

nb::object problems_of(const InputError& error) {
  nb::list problems;
  for (const Problem& p : error.problems()) {
    const auto text = [](const std::string& s) { return printable(s, true); };
    problems.append(nb::make_tuple(text(p.where), text(p.what), text(p.remedy), p.count));
  }
  return nb::make_tuple(problems, error.total());
}

void translate(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    raise("InputError", problems_of(error));
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const RunError& error) {
    raise("RunError", nb::make_tuple(printable(error.what(), true)));
  }
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator(translate);
}

}  // namespace medley::python
