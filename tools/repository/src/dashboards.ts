import { writeDashboards } from './dashboards/write';

/** Writes k8s/base/<service>/dashboard.json. */
writeDashboards();
