# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cohort-view on the full file of a program: 64 MiB and its last event."""

import command


class FullTrace(command.ViewTest):
    def test_page_has_the_longest_events(self):
        data = command.trace_of_blocks(1000100)
        self.assertGreater(len(data), 64 << 20)
        trace = self.content(data)["trace"]
        self.assertEqual((len(trace["columns"]["row"]), trace["short"]), (1000000, 100))
        self.assertEqual(min(trace["columns"]["duration"]), 1)
        self.assertLess(self.page.stat().st_size, 60 << 20)


command.main()
