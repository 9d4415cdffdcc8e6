/** A separate entry point, so that only processes that serve or generate an API description load its packages. */
export { responseDecorator, linkHeaders, type ResponseOptions } from './response-decorator';
export { openApiDocument, type ApiDescription, type SecurityScheme } from './api-description';
export { describeApi } from './describe-api';
export { generateOpenApi, runDescribe } from './description-files';
