import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { eventsQuery, type EventsQuery } from './events-query';
import { EventsService } from './events.service';

/** Notifications as server-sent events. */
@Controller()
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get('events')
  open(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query({ schema: eventsQuery }) { accounts, types, last_event_id: first, lastEventId: latest }: EventsQuery,
  ): void {
    const header = request.headers['last-event-id'];
    // A polyfill appends the latest id to the URL that the page opened.
    const lastEventId = typeof header === 'string' && header !== '' ? header : (latest ?? first);
    this.events.open({ accounts, types, lastEventId }, request.client, request.raw.socket, (headers) => {
      // `hijack` bypasses the hooks of the application, which already set headers, such as the CORS headers.
      reply.hijack();
      return reply.raw.writeHead(200, { ...headersOf(reply), ...streamHeaders, ...headers });
    });
  }
}

/** `X-Accel-Buffering` tells nginx to forward events at once. The stream is the last response on its connection. */
const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
};

function headersOf(reply: FastifyReply): Record<string, number | string | string[]> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
