"""PNG encoding, tuned for palette boards that are drawn once and sent at once."""

from io import BytesIO

from PIL import Image

__all__ = ["encode"]


def encode(image: Image.Image) -> bytes:
    """`image` as PNG bytes. Deterministic: the same image gives the same bytes."""
    buffer = BytesIO()
    # Level 1: flat palette areas compress well already, and time matters more than bytes.
    image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
