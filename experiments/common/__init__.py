# SPDX-License-Identifier: Apache-2.0
"""What the experiments of all papers share."""
