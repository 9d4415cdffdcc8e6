/** The description of an API, apart from what every process loads: only who serves one, or writes it, needs its packages. */
export { responseDecorator, pageHeaders, type ResponseOptions } from './response-decorator';
export { describeApi, openApiDocument, type ApiDescription, type SecurityScheme } from './api-description';
export { generateOpenApi, runDescribe } from './description-files';
