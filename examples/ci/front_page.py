#!/usr/bin/env python3
"""front_page.py [option of larder...]: prints the top stories of Hacker News, one on each line, those with the most
comments first. The script `ci` in this folder tests this program."""

import sys

from larder import Larder, LarderError


def main():
    with Larder(["--catalog", "hackernews", *sys.argv[1:]]) as larder:
        stories = larder.story.at(list="top").list()
    for story in sorted(stories.items, key=lambda story: -(story["comments"] or 0)):
        print(f"{story['comments'] or 0:4} {story['title']} ({story['by']})")
    if stories.missing:
        sys.exit(f"front_page.py: the API did not return these stories: {stories.missing}")


if __name__ == "__main__":
    try:
        main()
    except LarderError as error:
        sys.exit(f"front_page.py: {error}")
