import { Module } from '@nestjs/common';
import { StatusController } from './status.controller';
import { StatusMetrics } from './status.metrics';
import { StatusService } from './status.service';

/** How far the index is. */
@Module({ controllers: [StatusController], providers: [StatusService, StatusMetrics] })
export class StatusModule {}
