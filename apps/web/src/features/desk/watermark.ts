/** Longest side of a marked picture, in pixels. Browsers refuse larger canvases. */
const MAX_SIDE = 4096;

/**
 * Returns a copy of a picture with `mark` in slanted lines across all of it, so that a copy shows where it came from.
 * @throws DOMException if the browser cannot decode the picture
 */
export async function watermarked(picture: Blob, mark: string): Promise<Blob> {
  const bitmap = await createImageBitmap(picture);
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.ceil(bitmap.width * scale), Math.ceil(bitmap.height * scale));
  const { width, height } = canvas;
  const pen = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
  pen.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const size = Math.max(12, Math.round(Math.max(width, height) / 40));
  pen.font = `${size}px sans-serif`;
  const step = pen.measureText(mark).width + 3 * size;
  const reach = Math.hypot(width, height);
  pen.translate(width / 2, height / 2);
  pen.rotate(-Math.PI / 8);
  // Dark letters with a light edge are readable on every background.
  pen.fillStyle = "rgb(0 0 0 / 35%)";
  pen.strokeStyle = "rgb(255 255 255 / 35%)";
  for (let y = -reach / 2; y < reach / 2; y += 6 * size) {
    for (let x = -reach / 2; x < reach / 2; x += step) {
      pen.strokeText(mark, x, y);
      pen.fillText(mark, x, y);
    }
  }
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
}
