import { type Block } from '../chain/block';
import { assertion } from '../errors';
import { countOf } from '../fields';
import { type Api, named } from './api';
import { blockObject, headerObject } from './objects/block-objects';

const maxRange = 1000;

export const blockApi: Api = {
  name: 'block_api',
  methods: {
    get_block({ view }, params) {
      const block = view.findBlock(countOf(named(params)['block_num']));
      return block ? { block: blockObject(block, 'appbase') } : {};
    },

    get_block_header({ view }, params) {
      const block = view.findBlock(countOf(named(params)['block_num']));
      return block ? { header: headerObject(block) } : {};
    },

    /** Up to `count` blocks from `starting_block_num` on. */
    get_block_range({ view }, params) {
      const { starting_block_num, count } = named(params);
      const first = countOf(starting_block_num);
      const wanted = countOf(count);
      if (wanted > maxRange) throw assertion('count <= 1000', 'You can only ask for 1000 blocks at a time');
      if (first < 1) throw assertion('starting_block_num > 0', 'Invalid starting block number');
      const blocks: Block[] = [];
      for (let number = first; number < first + wanted && number <= view.head.number; number++) {
        const block = view.findBlock(number);
        if (block) blocks.push(block);
      }
      return { blocks: blocks.map((block) => blockObject(block, 'appbase')) };
    },
  },
};
