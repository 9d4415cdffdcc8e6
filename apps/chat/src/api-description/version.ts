/** The version of the API in its descriptions. Paths have no version. */
export const apiVersion = '0.1.0';
