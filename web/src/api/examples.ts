const PREFIX = "example:";

/** Whether the program carries it: nobody can rename, mark or delete it. */
export const isExample = (id: string): boolean => id.startsWith(PREFIX);

/** What people call a solution or a batch. */
export const nameOf = (id: string): string => (isExample(id) ? id.slice(PREFIX.length) : id);
