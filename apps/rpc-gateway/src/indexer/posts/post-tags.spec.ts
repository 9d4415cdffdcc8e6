import { tagsOf } from './post-tags';

it.each([
  ['', ['bees']],
  ['{"tags":["#Honey","wax  comb","bees"]}', ['honey', 'waxcomb', 'bees']],
  ['{"tags":["#"," ",null,1,["x"]]}', ['bees']],
  ['{"tags":"wax"}', ['bees']],
  [JSON.stringify({ tags: ['x'.repeat(40)] }), ['x'.repeat(32), 'bees']],
])('the metadata %j makes the tags %j', (metadata, tags) => {
  expect([...tagsOf('bees', metadata)]).toEqual(tags);
});
