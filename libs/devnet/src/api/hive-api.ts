import { secondsOf } from '../time';
import { type Api } from './api';

/** How far a social gateway has read. */
export const hiveApi: Api = {
  name: 'hive',
  methods: {
    db_head_state({ view: { head } }) {
      return {
        db_head_block: head.number,
        db_head_time: head.timestamp.replace('T', ' '),
        db_head_age: Math.floor(Date.now() / 1000 - secondsOf(head.timestamp)),
      };
    },
  },
};
