// Pictures of the store, drawn on a canvas: the page's policy allows no images but those of the server. A small picture is a value in
// base64; one of more than 64 KiB is a reference with its SHA-256, whose bytes the page asks for.
import { element } from "/page/elements.js";
import { get, send } from "/page/server.js";

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

/** Returns the bytes of a picture from its value. */
async function blobOf(value, source) {
  if (typeof value === "string") return new Blob([bytesOf(value)]);
  return (await send(`${source}/values/${value.sha256}`)).blob();
}

/**
 * Draws a picture on a canvas, from its value; null takes it away. `source` is where the bytes of a large one are: the store,
 * or an open form, `/forms/ID`, whose picture may be in no commit yet.
 */
export async function show(canvas, value, source = "/api") {
  const key = value?.sha256 ?? value;
  if (canvas.shown === key) return;
  canvas.shown = key;
  canvas.classList.toggle("without", !value);
  if (!value) return Object.assign(canvas, { width: 0, height: 0 });
  const image = await blobOf(value, source).then(createImageBitmap).catch(() => null);
  if (canvas.shown !== key || !image) return;
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
/** The most photos whose values are kept. */
const mostPhotos = 8;

/** Returns the value of the large picture: a photo never changes, another one is another object. */
export async function photo(id, at) {
  if (!photos.has(id)) photos.set(id, (await get(`/api/objects/${id}`, { at })).values.data);
  if (photos.size > mostPhotos) photos.delete(photos.keys().next().value);
  return photos.get(id);
}
