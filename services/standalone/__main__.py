"""`python -m services.standalone` and the program `smartmate`."""

from services.standalone import cli


def main() -> None:
    """Run the command line."""
    cli.run()


if __name__ == "__main__":
    main()
