/** What an engine would make an image of: its files in a folder, and how it is started. */
export interface AssembledImage {
  /** Stands for `/` of the image. */
  folder: string;
  workingFolder: string;
  environment: ReadonlyMap<string, string>;
  labels: ReadonlyMap<string, string>;
  /** As the Dockerfile names it: numbers of user and group. */
  user: string;
  entryPoint: string[];
  command: string[];
  healthCheck: string[];
}
