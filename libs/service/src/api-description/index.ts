/** A separate entry point, so that only processes that serve or generate an API description load its packages. */
export { responseDecorator, linkHeaders, type ResponseOptions } from './response-decorator';
export { describeApi, openApiDocument, type ApiDescription, type SecurityScheme } from './api-description';
export { generateOpenApi, runDescribe } from './description-files';
