"""Draws the dishes of the ready-made recipes, seen from above. Each picture is the same at each run."""

import io
import math
import random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

# The units of the drawings, and the size of the pictures.
SIZE = (640, 480)
FINAL = (480, 360)
THUMBNAIL = (112, 112)
# Drawn larger and reduced, so that edges are smooth.
SCALE = 2


class Canvas:
    """A picture in the units of its final size, with soft shadows below what is put on it."""

    def __init__(self, ground, stripe, seed):
        self.image = Image.new("RGB", [side * SCALE for side in SIZE], ground)
        self.random = random.Random(seed)
        draw = ImageDraw.Draw(self.image)
        for number in range(0, SIZE[0] + SIZE[1], 32):
            start, end = number * SCALE, (number - SIZE[1]) * SCALE
            draw.line([(start, 0), (end, SIZE[1] * SCALE)], fill=stripe, width=6 * SCALE)

    def put(self, paint, shadow=0, alpha=120):
        """Puts on what `paint(draw, scale)` draws on a transparent layer."""
        layer = Image.new("RGBA", self.image.size)
        paint(ImageDraw.Draw(layer))
        if shadow:
            mask = layer.getchannel("A").point(lambda value: value * alpha // 255)
            mask = ImageChops.offset(mask, 0, shadow * SCALE).filter(ImageFilter.GaussianBlur(shadow * SCALE))
            self.image.paste(Image.new("RGB", self.image.size, "#1a0d05"), (0, 0), mask)
        self.image.paste(layer, (0, 0), layer)

    def disc(self, x, y, radius, fill, shadow=0, squash=1.0):
        box = scaled(x - radius, y - radius * squash, x + radius, y + radius * squash)
        self.put(lambda draw: draw.ellipse(box, fill=fill), shadow)

    def discs(self, places, fills, shadow=2):
        def paint(draw):
            for (x, y, radius), fill in zip(places, fills, strict=True):
                draw.ellipse(scaled(x - radius, y - radius, x + radius, y + radius), fill=fill)

        self.put(paint, shadow)

    def shape(self, points, fill, shadow=0):
        self.put(lambda draw: draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=fill), shadow)

    def path(self, points, fill, width, shadow=0):
        def paint(draw):
            ends = [(x * SCALE, y * SCALE) for x, y in points]
            draw.line(ends, fill=fill, width=int(width * SCALE), joint="curve")
            for x, y in (ends[0], ends[-1]):
                half = width * SCALE / 2
                draw.ellipse((x - half, y - half, x + half, y + half), fill=fill)

        self.put(paint, shadow)

    def scatter(self, count, centre, reach, gap):
        """Returns places within a cycle that keep a distance from each other."""
        places = []
        for _ in range(count * 60):
            angle, distance = self.random.uniform(0, math.tau), reach * math.sqrt(self.random.random())
            place = (centre[0] + math.cos(angle) * distance, centre[1] + math.sin(angle) * distance)
            if all(math.dist(place, other) >= gap for other in places):
                places.append(place)
            if len(places) == count:
                break
        return places

    def blob(self, x, y, radius, fill, rough=0.16, shadow=2, corners=14):
        self.shape(
            rounded([polar(x, y, radius * (1 + self.random.uniform(-rough, rough)), number / corners * math.tau) for number in range(corners)]), fill, shadow
        )

    def leaf(self, x, y, length, angle, fill="#3f8f3a", vein="#2f6f2c"):
        tip, middle = polar(x, y, length, angle), polar(x, y, length * 0.5, angle)
        side = length * 0.3
        left, right = polar(*middle, side, angle + math.pi / 2), polar(*middle, side, angle - math.pi / 2)
        self.shape(curve((x, y), left, tip) + curve(tip, right, (x, y)), fill, shadow=2)
        self.path([(x, y), polar(x, y, length * 0.8, angle)], vein, 1.4)

    def plate(self, rim="#f4f1ea", inner="#ffffff", radius=206):
        x, y = SIZE[0] / 2, SIZE[1] / 2
        self.disc(x, y, radius, rim, shadow=12)
        self.disc(x, y, radius - 5, mix(rim, "#ffffff", 0.5))
        self.disc(x, y, radius - 36, mix(rim, "#8a8378", 0.25))
        self.disc(x, y, radius - 38, inner)
        return x, y

    def finished(self):
        return self.image.resize(FINAL, Image.Resampling.LANCZOS)


def scaled(*numbers):
    return tuple(number * SCALE for number in numbers)


def polar(x, y, radius, angle):
    return (x + math.cos(angle) * radius, y + math.sin(angle) * radius)


def curve(start, through, end, steps=12):
    """A quadratic curve from a point to another."""

    def at(t):
        return tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * (2 * b - (a + c) / 2) + t**2 * c for a, b, c in zip(start, through, end, strict=True))

    return [at(number / steps) for number in range(steps + 1)]


def rounded(points):
    """A closed shape through the middles of its sides."""
    result = []
    for number, point in enumerate(points):
        before, after = points[number - 1], points[(number + 1) % len(points)]
        start = tuple((a + b) / 2 for a, b in zip(before, point, strict=True))
        end = tuple((a + b) / 2 for a, b in zip(point, after, strict=True))
        for step in range(6):
            t = step / 6
            result.append(tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c for a, b, c in zip(start, point, end, strict=True)))
    return result


def mix(a, b, part):
    first, second = (tuple(int(text[place : place + 2], 16) for place in (1, 3, 5)) for text in (a, b))
    return "#" + "".join(f"{round(x + (y - x) * part):02x}" for x, y in zip(first, second, strict=True))


def apple_pie():
    canvas = Canvas("#8fa9bd", "#98b1c4", 1)
    x, y = SIZE[0] / 2, SIZE[1] / 2
    canvas.disc(x, y, 212, "#c9ced6", shadow=14)
    canvas.disc(x, y, 204, "#aab1bb")
    canvas.disc(x, y, 196, "#c98a3c")
    canvas.disc(x, y, 168, "#b8642a")
    for place in canvas.scatter(90, (x, y), 156, 24):
        canvas.blob(*place, canvas.random.uniform(14, 20), canvas.random.choice(["#d99a4a", "#e3ac5c", "#c9803a"]), shadow=1)
    for angle in (math.pi / 4, -math.pi / 4):
        for offset in range(-132, 133, 66):
            middle = polar(x, y, offset, angle + math.pi / 2)
            half = math.sqrt(172**2 - offset**2)
            ends = polar(*middle, -half, angle), polar(*middle, half, angle)
            canvas.path(ends, "#d79a45", 25, shadow=3)
            canvas.path(ends, "#eab968", 19)
            canvas.path(ends, "#f2c87d", 8)
    for number in range(44):
        canvas.disc(*polar(x, y, 182, number / 44 * math.tau), 17, mix("#dca24e", "#edc078", number % 2), shadow=1)
    return canvas


def chocolate_cake():
    canvas = Canvas("#e3b7b0", "#e8c0b9", 2)
    x, y = canvas.plate(rim="#fbf6ee", inner="#f6efe4", radius=216)
    canvas.disc(x, y, 158, "#3b2015", shadow=10)
    canvas.disc(x, y, 152, "#54301f")
    canvas.disc(x, y, 140, "#5f3825")
    for turn in range(3):
        canvas.path([polar(x, y, 26 + step * 0.78, step / 22 + turn * math.tau / 3) for step in range(130)], "#6f4530", 5)
    for number in range(16):
        place = polar(x, y, 126, (number + 0.6) / 16 * math.tau)
        canvas.disc(*place, 19, "#f7e9da", shadow=3)
        canvas.disc(*place, 13, "#fff6ec")
        if number % 2 == 0:
            canvas.disc(*place, 10, "#a3132a", shadow=2)
            canvas.disc(place[0] - 3, place[1] - 3, 3, "#e4687a")
    canvas.shape([(x, y)] + [polar(x, y, 164, 0.2 + step * 0.07) for step in range(10)], "#f6efe4")
    for angle in (0.2, 0.83):
        canvas.path([polar(x, y, 6, angle), polar(x, y, 154, angle)], "#2e170e", 7)
    for place in canvas.scatter(20, polar(x, y, 112, 0.51), 30, 10):
        canvas.disc(*place, canvas.random.uniform(1.5, 3), "#5f3825")
    return canvas


def greek_salad():
    canvas = Canvas("#4b7fa8", "#5488b0", 3)
    x, y = canvas.plate(rim="#e9eef2", inner="#dfe7d2", radius=214)
    for place in canvas.scatter(34, (x, y), 140, 30):
        canvas.blob(*place, canvas.random.uniform(28, 42), canvas.random.choice(["#7fb04c", "#97c463", "#6a9d3e"]), rough=0.3, shadow=3)
    for cx, cy in canvas.scatter(10, (x, y), 128, 62):
        canvas.disc(cx, cy, 31, "#3d7a34", shadow=4)
        canvas.disc(cx, cy, 28, "#d9ecb8")
        canvas.disc(cx, cy, 19, "#c6e09a")
        canvas.discs([(*polar(cx, cy, 11, n), 2.2) for n in range(6)], ["#f0f6d8"] * 6, shadow=0)
    for cx, cy in canvas.scatter(9, (x, y), 132, 70):
        turn = canvas.random.uniform(0, math.tau)
        canvas.shape([polar(cx, cy, 36, turn + n / 14 * math.pi) for n in range(15)], "#c62f24", shadow=4)
        canvas.shape([polar(cx, cy, 29, turn + 0.15 + n / 14 * (math.pi - 0.3)) for n in range(15)], "#e8604c")
    for cx, cy in canvas.scatter(11, (x, y), 134, 56):
        turn = canvas.random.uniform(0, 1.5)
        canvas.shape([polar(cx, cy, 22, turn + n * math.pi / 2) for n in range(4)], "#fdfcf6", shadow=4)
        canvas.shape([polar(cx + 2, cy + 2, 15, turn + n * math.pi / 2) for n in range(4)], "#f3f0e4")
    for cx, cy in canvas.scatter(13, (x, y), 138, 50):
        canvas.disc(cx, cy, 13, "#3a2440", shadow=3)
        canvas.disc(cx, cy, 5, "#5b3d5f")
        canvas.disc(cx - 4, cy - 5, 3, "#7d5f83")
    for cx, cy in canvas.scatter(6, (x, y), 120, 80):
        for radius in (26, 20):
            canvas.path([polar(cx, cy, radius, n / 10) for n in range(34)], "#b9739c", 3, shadow=1)
    return canvas


def lemonade():
    canvas = Canvas("#7cc0b4", "#85c7bb", 4)

    def lemon(x, y, radius, shadow=5):
        canvas.disc(x, y, radius, "#efc52f", shadow=shadow)
        canvas.disc(x, y, radius * 0.9, "#fff6cf")
        for number in range(9):
            start = number / 9 * math.tau + 0.09
            canvas.shape(
                rounded([polar(x, y, radius * 0.12, start + 0.25)] + [polar(x, y, radius * 0.82, start + part * 0.52 / 4) for part in range(5)]), "#f9dd55"
            )

    lemon(118, 372, 74)
    lemon(545, 112, 62)
    for turn, (x, y) in [(0.4, (210, 430)), (2.2, (560, 190))]:
        canvas.leaf(x, y, 58, turn)
        canvas.leaf(x, y, 50, turn + 1.2)
    x, y = SIZE[0] / 2 + 6, SIZE[1] / 2 - 4
    canvas.disc(x, y, 168, "#dff3f0", shadow=16)
    canvas.disc(x, y, 158, "#c3e4df")
    canvas.disc(x, y, 148, "#f7e48b")
    canvas.disc(x - 6, y - 6, 134, "#fbeda6")
    for cx, cy in [(x - 62, y - 52), (x + 44, y - 78), (x - 70, y + 50), (x + 76, y + 6)]:
        turn = canvas.random.uniform(0, 1.5)
        canvas.shape(rounded([polar(cx, cy, 44, turn + n * math.pi / 2) for n in range(4)]), "#fffdf0", shadow=3)
        canvas.shape(rounded([polar(cx - 2, cy - 2, 30, turn + n * math.pi / 2) for n in range(4)]), "#f7f3d4")
    lemon(x + 22, y + 48, 66, shadow=4)
    for turn in (3.6, 4.5, 5.4):
        canvas.leaf(x - 18, y + 6, 62, turn)
    canvas.path([(x - 30, y + 130), (x + 120, y - 210)], "#d8455a", 15, shadow=8)
    for step in range(9):
        place = (x - 22 + step * 16.6, y + 112 - step * 37.8)
        canvas.path([place, (place[0] + 5, place[1] - 12)], "#fff1f1", 13)
    return canvas


def margherita():
    canvas = Canvas("#6c4a35", "#74513b", 5)
    x, y = SIZE[0] / 2, SIZE[1] / 2
    canvas.disc(x, y, 222, "#b98d5c", shadow=12)
    canvas.disc(x, y, 216, "#c79b69")
    canvas.blob(x, y, 200, "#c98d44", rough=0.03, shadow=6, corners=30)
    canvas.blob(x, y, 192, "#e0ac63", rough=0.03, shadow=0, corners=30)
    for place in [polar(x, y, canvas.random.uniform(180, 192), n / 15 * math.tau) for n in range(15)]:
        canvas.blob(*place, canvas.random.uniform(5, 10), "#a8662b", rough=0.4, shadow=0)
    canvas.blob(x, y, 166, "#b5301c", rough=0.05, shadow=0, corners=26)
    canvas.blob(x, y, 158, "#cc4025", rough=0.06, shadow=0, corners=26)
    for place in canvas.scatter(40, (x, y), 140, 20):
        canvas.blob(*place, canvas.random.uniform(6, 12), "#dd5a38", rough=0.4, shadow=0)
    for place in canvas.scatter(13, (x, y), 132, 62):
        canvas.blob(*place, canvas.random.uniform(26, 36), "#f3dfb4", rough=0.24, shadow=3)
        canvas.blob(*place, canvas.random.uniform(18, 24), "#fdf6e3", rough=0.24, shadow=0)
    for place in canvas.scatter(7, (x, y), 112, 74):
        turn = canvas.random.uniform(0, math.tau)
        for side in (-0.5, 0.5):
            canvas.leaf(*place, 44, turn + side * 1.7)
    for number in range(4):
        angle = number / 4 * math.pi + 0.2
        canvas.path([polar(x, y, -196, angle), polar(x, y, 196, angle)], "#8f5a2c", 2.4)
    return canvas


def pancakes():
    canvas = Canvas("#d9c38a", "#dec993", 6)
    x, y = canvas.plate(rim="#dfe8ef", inner="#f4f8fb", radius=216)
    for number, (dx, dy) in enumerate([(-8, 16), (7, 9), (-4, 2), (4, -6)]):
        canvas.blob(x + dx, y + dy, 140 - number * 4, "#b9793a", rough=0.025, shadow=6, corners=24)
        canvas.blob(x + dx, y + dy - 2, 133 - number * 4, "#e5b069", rough=0.025, shadow=0, corners=24)
        canvas.blob(x + dx, y + dy - 2, 118 - number * 4, "#d1934c", rough=0.04, shadow=0, corners=24)
    canvas.blob(x + 4, y - 4, 92, "#9a4f16", rough=0.32, shadow=2, corners=16)
    canvas.blob(x + 2, y - 8, 80, "#b5651f", rough=0.32, shadow=0, corners=16)
    for turn in (0.7, 2.5, 4.1):
        canvas.path([polar(x, y, 60, turn), polar(x, y, 130, turn + 0.1)], "#a6591b", 16)
    canvas.shape(rounded([polar(x - 4, y - 12, 52, 0.5 + n * math.pi / 2) for n in range(4)]), "#f6d873", shadow=5)
    canvas.shape(rounded([polar(x - 7, y - 15, 38, 0.5 + n * math.pi / 2) for n in range(4)]), "#fdeaa0")
    for cx, cy in canvas.scatter(15, (x, y), 150, 36):
        if math.dist((cx, cy), (x, y)) < 58:
            continue
        canvas.disc(cx, cy, 14, "#2f3f7a", shadow=4)
        canvas.disc(cx - 3, cy - 4, 5, "#7284c4")
        canvas.disc(cx + 2, cy + 3, 3.4, "#1f2b57")
    for cx, cy in [(x - 104, y + 84), (x + 112, y - 70), (x + 60, y + 112)]:
        canvas.blob(cx, cy, 26, "#c4203a", rough=0.12, shadow=5)
        canvas.discs([(*p, 1.8) for p in canvas.scatter(9, (cx, cy), 18, 8)], ["#f3c9a2"] * 9, shadow=0)
        canvas.leaf(cx, cy - 20, 22, -2.2)
        canvas.leaf(cx, cy - 20, 22, -0.9)
    return canvas


def ratatouille():
    canvas = Canvas("#b9a88f", "#c0b098", 7)
    x, y = SIZE[0] / 2, SIZE[1] / 2
    canvas.disc(x, y, 220, "#27455c", shadow=14)
    canvas.disc(x, y, 212, "#34597a")
    canvas.disc(x, y, 192, "#7a2b16")
    canvas.disc(x, y, 186, "#a8401f")
    kinds = [("#b02a20", "#e2604a", "#f0836b"), ("#47773a", "#dfe9b4", "#cfdd98"), ("#d39a1d", "#f6d86f", "#efcb52"), ("#3c2346", "#efe3c6", "#e0d0ad")]
    number = 0
    for radius, count in [(158, 34), (112, 24), (68, 14), (26, 6)]:
        for step in range(count):
            place = polar(x, y, radius, step / count * math.tau)
            skin, flesh, heart = kinds[number % len(kinds)]
            canvas.disc(*place, 31, skin, shadow=3)
            canvas.disc(*place, 27, flesh)
            canvas.disc(*place, 14, heart)
            number += 1
    for place in canvas.scatter(46, (x, y), 176, 16):
        canvas.path([place, polar(*place, 7, canvas.random.uniform(0, math.tau))], "#3c7a2f", 3)
    for turn in (0.2, 1.4, 2.6):
        canvas.leaf(x, y, 46, turn)
    return canvas


def tomato_soup():
    canvas = Canvas("#a9b59b", "#b1bca3", 8)
    x, y = SIZE[0] / 2, SIZE[1] / 2
    canvas.disc(x, y, 214, "#f3ead9", shadow=14)
    canvas.disc(x, y, 206, "#fffaf0")
    canvas.disc(x, y, 178, "#d9ccb6")
    canvas.disc(x, y, 172, "#c9421d")
    canvas.disc(x - 5, y - 6, 160, "#dd5526")
    canvas.disc(x - 10, y - 12, 120, "#e36330")
    canvas.path([polar(x, y, 118 - step * 0.72, step / 17) for step in range(150)], "#fbe6cf", 9)
    for cx, cy in canvas.scatter(9, (x, y), 136, 54):
        turn = canvas.random.uniform(0, 1.5)
        canvas.shape(rounded([polar(cx, cy, 25, turn + n * math.pi / 2) for n in range(4)]), "#b87932", shadow=4)
        canvas.shape(rounded([polar(cx - 1, cy - 2, 20, turn + n * math.pi / 2) for n in range(4)]), "#e2b062")
    for turn in (0.4, 1.9, 3.4, 5.0):
        canvas.leaf(x + 4, y + 2, 54, turn)
    canvas.discs([(*p, canvas.random.uniform(1, 2.2)) for p in canvas.scatter(70, (x, y), 160, 10)], ["#4b2a1c"] * 70, shadow=0)
    return canvas


def encoded(image, kind, size=None):
    """Returns the bytes of a picture file."""
    output = io.BytesIO()
    if kind == "png":
        # Drawings have few colours: a palette makes the file a third of the size.
        image.quantize(64, dither=Image.Dither.NONE).save(output, "PNG", optimize=True)
    else:
        image.save(output, "JPEG", quality=82, optimize=True)
    return output.getvalue()


def thumbnail(image):
    """Returns the square in the middle, reduced."""
    side = min(image.size)
    left, top = ((whole - side) // 2 for whole in image.size)
    square = image.crop((left, top, left + side, top + side)).resize(THUMBNAIL, Image.Resampling.LANCZOS)
    return encoded(square, "jpeg")
