# SPDX-License-Identifier: Apache-2.0
"""Studies that are simulated: one file for each, and studies.py lists them.

A study says which calls it wants played, and on which machines; it draws tables and a figure of their times. What is
here is all it needs to know of how they are played.
"""
