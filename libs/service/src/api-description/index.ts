/** The description of an API, apart from what every process loads: only who serves one, or writes it, needs its packages. */
export { answersWith, pageHeaders, type AnswerOptions } from './answers';
export { describeApi, openApiDocument, type ApiDescription, type SecurityScheme } from './api-description';
export { previewOpenApi, runDescribe } from './description-files';
