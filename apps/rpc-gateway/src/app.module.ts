import { Module, type DynamicModule } from '@nestjs/common';
import { OperationsModule, type Readiness, type Registry } from '@waggle/service';
import { GATEWAY_CONFIG, type GatewayConfig } from './config';

/** The whole composition of the API. */
@Module({})
export class AppModule {
  static forRoot(config: GatewayConfig, operations: { readiness: Readiness; metrics: Registry }): DynamicModule {
    return {
      module: AppModule,
      imports: [OperationsModule.forRoot(operations)],
      providers: [{ provide: GATEWAY_CONFIG, useValue: config }],
    };
  }
}
