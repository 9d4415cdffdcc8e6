import { type DynamicModule, Module } from '@nestjs/common';
import { DelegationsController } from './delegations.controller';
import { DelegationsService } from './delegations.service';
import { DELEGATIONS_SETTINGS, DelegationsStore, type DelegationsSettings } from './delegations.store';

/** Delegations, pending returns and balances, now and as of earlier blocks. */
@Module({})
export class DelegationsModule {
  static forRoot(settings: DelegationsSettings): DynamicModule {
    return {
      module: DelegationsModule,
      controllers: [DelegationsController],
      providers: [{ provide: DELEGATIONS_SETTINGS, useValue: settings }, DelegationsStore, DelegationsService],
    };
  }
}
