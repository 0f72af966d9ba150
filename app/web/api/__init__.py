"""The acts of the pages for programs: JSON over HTTP, by keys instead of cookies, described by OpenAPI."""
