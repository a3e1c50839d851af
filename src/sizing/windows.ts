// How much a memory of what was seen can be told to keep: each sighting of each window takes a filter.

/** Sightings of a key that are told from each other. */
export const SIGHTINGS_LIMIT = 100;

/** Windows that are kept besides the one that goes on. */
export const KEEP_LIMIT = 250;
