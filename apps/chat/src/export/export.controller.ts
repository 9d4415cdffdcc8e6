import { Controller, Get, Query, Req, Res, UseGuards } from '@nestjs/common';
import { exportLine, exportQuery, type ExportQuery } from '@waggle/contracts';
import { observeAsDownload } from '@waggle/service';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { RespondsWith } from '../api-description/responds-with';
import { AccessGuard, Caller, CallerSessionId } from '../sessions/access.guard';
import { ExportService } from './export.service';

/** Exports the data of the caller. */
@Controller('users/export')
@UseGuards(AccessGuard)
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  @Get()
  @RespondsWith(exportLine, {
    summary: 'Everything that the service stores about the caller, as NDJSON',
    description: `A line for each item. The items of a conversation follow its line, in the order of sequence numbers. Messages of others are their data, and not part of it.

The last line has the type \`end\`. If it is missing, or has the type \`error\`, continue with the \`cursor\` of the last line as \`after\`. What changes meanwhile may be in the export or not. Ignore types that you do not know.`,
    errors: ['invalid-request', 'being-erased'],
  })
  async export(
    @Caller() account: string,
    @CallerSessionId() sessionId: string,
    @Query({ schema: exportQuery }) { after }: ExportQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stream = await this.exports.begin({ account, sessionId, connection: request.socket }, after);
    observeAsDownload(reply);
    reply
      .header('Content-Type', 'application/x-ndjson; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="chat-${account}.ndjson"`)
      .send(stream);
  }
}
