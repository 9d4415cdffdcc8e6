/** Why a file cannot become an attachment, or was not uploaded. */
export class UploadError extends Error {
  override readonly name = 'UploadError';

  constructor(readonly code: 'no-image' | 'image-too-large' | 'upload-limit' | 'upload-rejected' | 'upload-failed') {
    super(`Not uploaded: ${code}`);
  }
}
