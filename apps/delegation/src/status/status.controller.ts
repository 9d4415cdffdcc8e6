import { Controller, Get } from '@nestjs/common';
import { delegationStatus, type DelegationStatus } from '@waggle/contracts';
import { RespondsWith } from '../api-description/responds-with';
import { StatusService } from './status.service';

@Controller('api/deleg/status')
export class StatusController {
  constructor(private readonly status: StatusService) {}

  @Get()
  @RespondsWith(delegationStatus, { summary: 'How far the service knows the chain, and since when' })
  get(): Promise<DelegationStatus> {
    return this.status.get();
  }
}
