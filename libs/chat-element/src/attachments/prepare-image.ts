import { UploadError } from './upload-error';

/** An image that may leave this device. */
export interface PreparedImage {
  blob: Blob;
  /** As the host stores it: letters, digits and `.-_`. */
  fileName: string;
  /** As readers see it. */
  name: string;
  width: number;
  height: number;
  /** A small copy as a `data:` URL, which the page's policy allows. */
  preview: string;
}

/** Longest side of an image in pixels; larger ones are reduced. */
const maxSide = 4_096;
const previewSide = 96;
/** The default of the image hoster: `max_image_size` in its config/default.toml. The request is a little larger. */
const maxBytes = 15_000_000 - 2_048;
const quality = 0.9;

/** Types that are encoded again, which removes metadata such as where a photo was taken. */
const encoded: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);
/** Drawing an image of this type would stop its animation. */
const unchanged = 'image/gif';

/** Reads an image, and removes everything from it but its pixels, except from a GIF. @throws UploadError */
export async function prepareImage(file: File): Promise<PreparedImage> {
  if (!encoded.has(file.type) && file.type !== unchanged) throw new UploadError('no-image');
  // Decoding applies the rotation that the Exif data asks for.
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (bitmap === undefined) throw new UploadError('no-image');
  try {
    // The type follows from the name of the file, so a photo may have this one.
    const isUnchanged = file.type === unchanged && (await file.slice(0, 4).text()) === 'GIF8';
    const scale = isUnchanged ? 1 : Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
    const canvas = draw(bitmap, scale);
    const blob = isUnchanged ? file : await encode(canvas, file.type === unchanged ? 'image/jpeg' : file.type);
    if (blob.size > maxBytes) throw new UploadError('image-too-large');
    const preview = draw(bitmap, Math.min(1, previewSide / Math.max(bitmap.width, bitmap.height))).toDataURL();
    const { width, height } = canvas;
    return { blob, ...namesOf(file.name, blob.type), width, height, preview };
  } finally {
    bitmap.close();
  }
}

function draw(bitmap: ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** A browser that cannot write a type writes PNG. */
async function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, quality);
  });
  if (blob === null) throw new UploadError('no-image');
  return blob;
}

/** Names with the ending of the type that was written. The service accepts no invisible characters in them. */
function namesOf(fileName: string, type: string): Pick<PreparedImage, 'fileName' | 'name'> {
  const ending = type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length);
  const base = fileName
    .normalize('NFC')
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}\p{M}._()'&+-]+/gu, ' ')
    .replace(/(\p{M}{8})\p{M}+/gu, '$1')
    .trim();
  const name = Array.from(base).slice(0, 100).join('').trim();
  const ascii = base.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
  const isNamed = /[\p{L}\p{N}]/u.test(name);
  return {
    name: `${isNamed ? name : 'image'}.${ending}`,
    fileName: `${/[A-Za-z0-9]/.test(ascii) ? ascii : 'image'}.${ending}`,
  };
}
