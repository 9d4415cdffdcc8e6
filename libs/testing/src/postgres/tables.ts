import { type DataSource, type DataSourceOptions } from 'typeorm';

/**
 * The changes that TypeORM would make to the migrated tables to match the entities, and the tables without an entity;
 * empty if they agree. Check constraints exist only in migrations and are ignored.
 */
export function differencesFromEntities(options: DataSourceOptions): Promise<string[]> {
  return withDataSource(options, async (dataSource) => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    const changes = upQueries.map(({ query }) => query).filter((query) => !/DROP CONSTRAINT "\w+_check"/.test(query));
    const declared = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    const missing = (await tablesOf(dataSource)).filter((name) => !declared.includes(name));
    return [...changes, ...missing.map((name) => `${name} has no entity`)];
  });
}

/** Reverts all migrations. @returns the tables that are left, except the table of migrations */
export function tablesWithoutMigrations(options: DataSourceOptions): Promise<string[]> {
  return withDataSource(options, async (dataSource) => {
    for (let left = dataSource.migrations.length; left > 0; left -= 1) await dataSource.undoLastMigration();
    return tablesOf(dataSource);
  });
}

/** Returns the names of all tables except partitions and the table of migrations. */
async function tablesOf(dataSource: DataSource): Promise<string[]> {
  const tables: { name: string }[] = await dataSource.query(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migration'`);
  return tables.map(({ name }) => name);
}

async function withDataSource<T>(options: DataSourceOptions, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  // Loaded only here: it takes 0.2 s of CPU, and every process of the tools loads this library.
  const typeorm = await import('typeorm');
  const dataSource = await new typeorm.DataSource(options).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
