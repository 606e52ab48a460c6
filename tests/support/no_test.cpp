// SPDX-License-Identifier: Apache-2.0
// Of the program whose precompiled headers all tests use.
int main() {}
