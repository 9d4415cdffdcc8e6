/** The version of the interface that the description names. */
export const apiVersion = '1.0.0';
