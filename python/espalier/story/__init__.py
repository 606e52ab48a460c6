# SPDX-License-Identifier: Apache-2.0
"""The story of a run in pictures: one web page that needs nothing else, made of its reports."""

from espalier.story.page import is_page, page

__all__ = ["is_page", "page"]
