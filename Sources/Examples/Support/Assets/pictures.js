// Pictures of the store: bytes in base64, drawn on a canvas. The page's policy allows no images but those of the server.
import { element } from "/page/elements.js";
import { get } from "/page/server.js";

/** The side of a thumbnail in pixels; the element is half as wide, for screens with two pixels for one. */
const side = 112;
export const mostBytes = 16 << 20;

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Returns the bytes of a file or a picture in base64. */
function base64(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Returns a canvas that shows a picture, or nothing so far; `label` is what it is to screen readers. */
export function picture(label, className) {
  return element("canvas", { class: className, width: 0, height: 0, role: label ? "img" : null, "aria-label": label, "aria-hidden": label ? null : "true" });
}

/** Draws a picture in base64 on a canvas; null takes it away. */
export async function show(canvas, data) {
  if (canvas.shown === data) return;
  canvas.shown = data;
  canvas.classList.toggle("without", !data);
  if (!data) return Object.assign(canvas, { width: 0, height: 0 });
  const image = await createImageBitmap(new Blob([bytesOf(data)])).catch(() => null);
  if (canvas.shown !== data || !image) return;
  Object.assign(canvas, { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
}

/** Returns what the form takes of a file: its bytes as they are, and a thumbnail of the square in the middle. */
export async function prepared(file) {
  if (file.size > mostBytes) throw new Error(`The picture has more than ${mostBytes >> 20} MiB.`);
  const image = await createImageBitmap(file).catch(() => {
    throw new Error("The file is no picture that this browser can show.");
  });
  const canvas = element("canvas", { width: side, height: side });
  const least = Math.min(image.width, image.height);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, (image.width - least) / 2, (image.height - least) / 2, least, least, 0, 0, side, side);
  const thumbnail = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  return { photo: await base64(file), thumbnail: await base64(thumbnail) };
}

const photos = new Map();

/** Returns the large picture, in base64: a photo never changes, another one is another object. */
export async function photo(id, at) {
  if (!photos.has(id)) {
    const found = (await get(`/api/objects/${id}`, { at })).values.data;
    photos.set(id, found);
    if (photos.size > 8) photos.delete(photos.keys().next().value);
  }
  return photos.get(id);
}
