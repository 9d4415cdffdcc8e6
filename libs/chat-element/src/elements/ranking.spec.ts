import { rankOf } from './ranking';

it.each([
  ['Honey harvest', 'hon', 0],
  ['Honey harvest', 'HAR', 1],
  ['good-karma', 'karma', 1],
  ['Honey harvest', 'vest', 2],
  ['Configuración', 'cion', 2],
  ['Über uns', 'uber', 0],
  ['설정', '설', 0],
  ['alice', '', 0],
  ['alice', 'bob', undefined],
])('%j matches %j with rank %j', (text, query, rank) => {
  expect(rankOf(text, query)).toBe(rank);
});
