#!/usr/bin/env python3
"""front_page.py [option of larder...]: the stories of Hacker News that are talked about most, one to a line. It is the
program that `ci` beside it tests."""

import sys

from larder import Larder, LarderError


def main():
    with Larder(["--catalog", "hackernews", *sys.argv[1:]]) as larder:
        stories = larder.story.at(list="top").list()
    for story in sorted(stories.items, key=lambda story: -(story["comments"] or 0)):
        print(f"{story['comments'] or 0:4} {story['title']} ({story['by']})")
    if stories.missing:
        sys.exit(f"front_page.py: these stories could not be had: {stories.missing}")


if __name__ == "__main__":
    try:
        main()
    except LarderError as error:
        sys.exit(f"front_page.py: {error}")
