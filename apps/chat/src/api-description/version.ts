/** The version in the OpenAPI and AsyncAPI documents. It does not depend on the release, and is not part of any path. */
export const apiVersion = '0.1.0';
