import { secondsOf } from '../time';
import { type Api } from './api';

/**
 * The namespace `hive` of a social gateway (Hivemind). `db_head_state` reports the last indexed block; here always the
 * head.
 */
export const hiveNamespace: Api = {
  name: 'hive',
  methods: {
    db_head_state({ view: { head } }) {
      return {
        db_head_block: head.number,
        // Hivemind separates date and time by a space.
        db_head_time: head.timestamp.replace('T', ' '),
        db_head_age: Math.floor(Date.now() / 1000 - secondsOf(head.timestamp)),
      };
    },
  },
};
