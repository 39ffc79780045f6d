import { expect, type Locator } from "@playwright/test";
import decodeQR from "qr/decode.js";

/** Returns the content of a QR code on the screen, read like a phone's camera. Tries until it can be read. */
export async function scan(code: Locator): Promise<string> {
  let text: string | null = null;
  await expect(async () => {
    text = await read(code);
    expect(text, "a code that can be read").not.toBeNull();
  }).toPass();
  return text ?? "";
}

/** Blurs the picture like a camera, because the kit's code of dots is easier to read that way. */
const blurs = [0, 1, 2, 3];

async function read(code: Locator): Promise<string | null> {
  const picture = (await code.screenshot()).toString("base64");
  for (const blur of blurs) {
    const { width, height, data } = await code.page().evaluate(draw, { picture, blur });
    try {
      return decodeQR({ width, height, data: Uint8Array.from(Buffer.from(data, "base64")) });
    } catch {
      // Not readable in this form; the next picture may be.
    }
  }
  return null;
}

/** Runs in the page, which can decode a picture. */
async function draw({ picture, blur }: { picture: string; blur: number }) {
  const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const edge = 20;
  const [width, height] = [bitmap.width + 2 * edge, bitmap.height + 2 * edge];
  const context = new OffscreenCanvas(width, height).getContext("2d");
  if (context === null) throw new Error("no canvas");
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.filter = `blur(${blur}px)`;
  context.drawImage(bitmap, edge, edge);
  let data = "";
  for (const byte of context.getImageData(0, 0, width, height).data) data += String.fromCharCode(byte);
  return { width, height, data: btoa(data) };
}
