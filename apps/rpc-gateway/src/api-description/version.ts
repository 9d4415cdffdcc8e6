/** The version of the API in its description. */
export const apiVersion = '1.0.0';
