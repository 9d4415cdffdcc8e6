/** The version of the interface that the description names. Paths carry only `v1`. */
export const apiVersion = '1.0.0';
