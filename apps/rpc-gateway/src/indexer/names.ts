/** Of the follower's checkpoint, its lock and the label of its metrics. */
export const followerName = 'rpc-gateway';
