/** What `collect-garbage` says when it has done so. */
export const collectedLine = 'garbage collected';
