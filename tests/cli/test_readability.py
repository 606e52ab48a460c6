# SPDX-License-Identifier: Apache-2.0
"""The figures of sentences in the documentation (tools/readability.py), on made pages."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

PAGE = """\
# A heading is no sentence

<!-- Nor is a comment of any length, however long it may be. -->
One two three. See [four five](six.md#seven) and `a name of --many --words`!

| a | table |
|---|---|
| is left | out |

- An item
  goes on
- Another one, (e.g. this)

```sh
no sentence
```

    nor this. Or that.

"Who?" he asked. 3 words here.
"""


def readability(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(ROOT / "tools" / "readability.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def figures_of(folder: Path, text: str) -> dict[str, Any]:
    page = folder / "page.md"
    page.write_text(text)
    return json.loads(readability("--json", page).stdout)["all"]  # type: ignore[no-any-return]


def test_words_are_counted_without_marks_code_and_tables(tmp_path: Path) -> None:
    found = figures_of(tmp_path, PAGE)
    assert found == {"name": "all", "sentences": 6, "median_words": 3, "p90_words": 5, "long_sentences": 0}


def test_a_page_without_sentences_has_none(tmp_path: Path) -> None:
    assert figures_of(tmp_path, "# Only this\n")["sentences"] == 0


def test_a_sentence_that_is_too_long_is_printed_and_fails_when_a_limit_is_given(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("This sentence has more than five words. This has not.\n")
    assert readability(page).returncode == 0
    done = readability("--max", "5", page)
    assert done.returncode == 1
    assert done.stdout.endswith("7 words: This sentence has more than five words.\n")
