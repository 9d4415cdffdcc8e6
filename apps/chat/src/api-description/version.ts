/** The version of the interface that the descriptions name. Paths carry none. */
export const apiVersion = '0.1.0';
