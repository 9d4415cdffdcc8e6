import { Controller, Get } from '@nestjs/common';
import { delegationStatus, type DelegationStatus } from '@waggle/contracts';
import { RespondsWith } from '../api-description/responds-with';
import { StatusService } from './status.service';

/** The progress of the index. */
@Controller('api/deleg/status')
export class StatusController {
  constructor(private readonly status: StatusService) {}

  @Get()
  @RespondsWith(delegationStatus, {
    summary: 'The state of the index: its last block, its lag, and where its history begins',
  })
  get(): Promise<DelegationStatus> {
    return this.status.get();
  }
}
